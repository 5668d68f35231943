import { addressOf } from '@portal/contracts/shared/address-of'
import type { AnyRoute } from '@portal/contracts/shared/route'
import type { InjectOptions } from 'fastify'
import { type Person, tokenOf } from './people.ts'

export type CallOptions = {
  readonly as?: Person | undefined
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a client would send. */
export const requestOf = (route: AnyRoute, call: CallOptions): InjectOptions => {
  const { as, params, query, body, headers } = call
  return {
    method: route.method,
    url: addressOf(route, { params, query }),
    headers: {
      ...(as && { authorization: `Bearer ${tokenOf(as)}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  }
}
