import type { ProblemCode } from './problem.ts'

/** An error that a route can answer with. Its message is shown to users; the code decides the HTTP status. */
export type RouteError = { readonly code: ProblemCode; readonly message: string }

export const routeError = <const Code extends ProblemCode>(code: Code, message: string) => ({ code, message })
