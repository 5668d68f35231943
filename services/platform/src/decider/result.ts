/** The outcome of a decision or a use case: rejections are values, infrastructure failures throw. */
export type Result<T, X> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: X }

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value })
export const rejected = <X>(error: X): Result<never, X> => ({ ok: false, error })
