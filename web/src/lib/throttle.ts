/** Runs `act` on `poke`: at once, then at most once in `everyMs`. The last poke is never lost. */
export const throttle = (everyMs: number, act: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPoked = false

  const run = () => {
    isPoked = false
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isPoked) run()
    }, everyMs)
  }

  return {
    poke: () => {
      if (timer === undefined) run()
      else isPoked = true
    },
    stop: () => clearTimeout(timer),
  }
}
