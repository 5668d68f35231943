const betweenPingsMs = 50

/** Pings until it answers. Throws what the last ping said, after `timeoutMs` or when `mayGoOn` throws. */
export const untilAnswers = async (
  ping: () => Promise<void>,
  timeoutMs: number,
  mayGoOn: () => void = () => undefined,
): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const refusal = await ping().then(
      () => undefined,
      (error: unknown) => error ?? new Error('no answer'),
    )
    mayGoOn()
    if (refusal === undefined) return
    if (Date.now() > deadline) throw refusal
    await new Promise((resolve) => setTimeout(resolve, betweenPingsMs))
  }
}
