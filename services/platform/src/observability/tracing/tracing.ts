/** Ids, counts and outcomes. Never personal data or free text. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export type SpanOptions = {
  /** W3C traceparent of the parent; by default the active span. Without either, nothing is recorded. */
  readonly parent?: string | undefined
  /** Starts a new trace if there is no parent. */
  readonly isRoot?: boolean
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer'
  readonly attributes?: SpanAttributes
  /** Now by default. */
  readonly startedAt?: Date
}

export type Span = {
  /** Pass it to another process to continue the trace. */
  readonly traceparent: string
  set(attributes: SpanAttributes): void
  /** Records only the class of an error, because its message may quote user input. */
  end(failure?: unknown): void
}

/**
 * The only implementation (open-telemetry.ts) is loaded if an endpoint is configured. Otherwise each call is an empty function.
 */
export type Tracing = {
  readonly isOn: boolean
  /** Undefined if the span is not recorded. */
  start(name: string, options?: SpanOptions): Span | undefined
  /** Runs `work`, and everything that it starts, with the span active. */
  within<T>(span: Span | undefined, work: () => T): T
  active(): Span | undefined
  /** Sends the remaining spans. */
  close(): Promise<void>
}

export const noTracing: Tracing = {
  isOn: false,
  start: () => undefined,
  within: (_span, work) => work(),
  active: () => undefined,
  close: () => Promise.resolve(),
}

/** Runs `work` within a new span. */
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
