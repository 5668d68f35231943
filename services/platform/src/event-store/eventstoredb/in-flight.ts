/** Does work as soon as there is room for it among what is under way, in the order in which it comes. */
export type InFlight = <T>(bytes: number, work: () => Promise<T>) => Promise<T>

export type InFlightLimits = { readonly calls: number; readonly bytes: number }

/** What is large or many is not sent all at once: then everything would take longer than its deadline. */
export const createInFlight = (limits: InFlightLimits): InFlight => {
  let calls = 0
  let bytes = 0
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []

  const hasRoom = (more: number): boolean => calls === 0 || (calls < limits.calls && bytes + more <= limits.bytes)
  const startWaiting = (): void => {
    for (let next = waiting[0]; next !== undefined && hasRoom(next.bytes); next = waiting[0]) {
      waiting.shift()
      calls += 1
      bytes += next.bytes
      next.start()
    }
  }
  return async (size, work) => {
    await new Promise<void>((start) => {
      waiting.push({ bytes: size, start })
      startWaiting()
    })
    try {
      return await work()
    } finally {
      calls -= 1
      bytes -= size
      startWaiting()
    }
  }
}
