/**
 * Calls back once the event loop has run: timers, I/O, other requests. A page has no `setImmediate`, and its timers wait
 * four milliseconds: a message to itself does not.
 */
export const onNextTurn: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => {
          port1.close();
          callback();
        });
        port1.start();
        port2.postMessage(undefined);
      };
