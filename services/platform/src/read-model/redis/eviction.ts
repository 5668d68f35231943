import type { Connection } from './connection.ts'
import { textOf } from './replies.ts'

const settingIn = (info: string, name: string): string | undefined =>
  info
    .split(/\r?\n/)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)

/** A server that makes room by throwing keys away would leave read models with holes that nobody can see. */
export const refuseEviction = async (connection: Connection): Promise<void> => {
  for (const send of await connection.nodes()) {
    const info = textOf(await send(['INFO', 'memory'])) ?? ''
    const policy = settingIn(info, 'maxmemory_policy') ?? 'noeviction'
    if (settingIn(info, 'maxmemory') !== '0' && policy.startsWith('allkeys')) {
      throw new Error(
        `READ_MODEL_URL: this Redis throws keys away when it is full (${policy}); set maxmemory-policy to noeviction`,
      )
    }
  }
}
