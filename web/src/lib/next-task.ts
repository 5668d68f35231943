/**
 * Resolves in a task of its own, before which the browser answers taps. `scheduler.yield` is missing in Safari, and a timer that was
 * set by a timer waits 4 ms.
 */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
