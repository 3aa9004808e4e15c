/** What to do first. */
export function NothingChosen() {
  return (
    <section class="hint" aria-label="Why">
      <h2>Why?</h2>
      <p class="note">Choose an item to see why it has its place.</p>
      <dl>
        <dt>
          <kbd>J</kbd> <kbd>K</kbd>
        </dt>
        <dd>next and previous item</dd>
        <dt>
          <kbd>Enter</kbd>
        </dt>
        <dd>open it</dd>
        <dt>
          <kbd>C</kbd>
        </dt>
        <dd>compare it with others</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>Z</kbd>
        </dt>
        <dd>undo</dd>
      </dl>
    </section>
  );
}
