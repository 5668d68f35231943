/** Calls `act` on `trigger`: at once, then at most once per `everyMs`. The last trigger is never lost. */
export const throttle = (everyMs: number, act: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isTriggered = false

  const run = () => {
    isTriggered = false
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isTriggered) run()
    }, everyMs)
  }

  return {
    trigger: () => {
      if (timer === undefined) run()
      else isTriggered = true
    },
    stop: () => clearTimeout(timer),
  }
}
