import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { readModelContract } from '@portal/platform/testing/read-model/contract'
import type { ReadModel } from './port.ts'
import { dropRedisReadModel, openRedisReadModel } from './redis.ts'

readModelContract('redis', async () => {
  const url = `${inject('redisUrl')}/?prefix=t${randomUUID()}`
  const opened: ReadModel[] = []
  const namespaces = new Set<string>()
  return {
    async open(namespace) {
      const readModel = await openRedisReadModel({ url, namespace })
      opened.push(readModel)
      namespaces.add(namespace)
      return readModel
    },
    async dispose() {
      await Promise.all(opened.map((readModel) => readModel.close()))
      for (const namespace of namespaces) await dropRedisReadModel({ url, namespace })
    },
  }
})
