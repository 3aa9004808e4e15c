/** Saves a file of the browser. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Lets a user choose a file; does nothing if they choose none. */
export function chooseFile(accept: string, opened: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) opened(file);
  });
  input.click();
}

/** Accepts files that a user drops anywhere in the page, which the browser would show instead of the page. */
export function acceptDrops(opened: (file: File) => void): void {
  const isFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
  const mark = (isOver: boolean) => document.documentElement.classList.toggle('dropping', isOver);
  addEventListener('dragover', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) mark(false); // it left the window
  });
  addEventListener('drop', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (file) opened(file);
  });
}
