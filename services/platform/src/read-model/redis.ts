import type { ReadModel } from './port.ts'

type Place = { readonly url: string; readonly namespace: string }

export const openRedisReadModel = async ({ url }: Place): Promise<ReadModel> => {
  throw new Error(`READ_MODEL_URL: Redis is not supported yet (an address of ${url.length} characters)`)
}

export const dropRedisReadModel = async ({ url }: Place): Promise<void> => {
  throw new Error(`READ_MODEL_URL: Redis is not supported yet (an address of ${url.length} characters)`)
}
