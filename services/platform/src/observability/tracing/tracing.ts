/** What a span tells besides its name: ids, counts and outcomes. Never personal data, never the text of anything. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  /** W3C traceparent of what led to it. Where absent, the span that is active; where none is, nothing is recorded. */
  readonly parent?: string | undefined
  /** Begins a trace where there is no parent. */
  readonly isRoot?: boolean
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Now where absent. */
  readonly startedAt?: Date
}

/** One thing that happened, from its start to its end, as part of a trace. */
export type Span = {
  /** What makes something elsewhere a part of it. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  /** Of an error only its class is kept: a message may quote what somebody wrote. */
  end(failure?: unknown): void
}

/**
 * Traces, from the click to the socket. Its one implementation (open-telemetry.ts) is loaded when an address to send them to is
 * set; else nothing is started, nothing is kept, and each call here is an empty function.
 */
export type Tracing = {
  readonly isOn: boolean
  /** Undefined for what is not recorded. */
  start(name: string, options?: SpanOptions): Span | undefined
  /** Runs `work`, and all that it starts, with the span as the active one. */
  within<T>(span: Span | undefined, work: () => T): T
  active(): Span | undefined
  /** Sends what has not been sent. */
  close(): Promise<void>
}

export const noTracing: Tracing = {
  isOn: false,
  start: () => undefined,
  within: (_span, work) => work(),
  active: () => undefined,
  close: () => Promise.resolve(),
}

/** Runs `work` as a span. */
export const traced = async <T>(
  tracing: Tracing,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> => {
  const span = tracing.start(name, options)
  if (!span) return work()
  try {
    const result = await tracing.within(span, work)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}
