/** The parts of a W3C `traceparent` header. */
export type TraceParent = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Undefined for what is none: it comes from outside. */
export const parseTraceparent = (text: string): TraceParent | undefined => {
  const [, traceId, spanId, flags] = form.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}
