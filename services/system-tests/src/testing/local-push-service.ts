import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pushServiceCertificate } from '@portal/platform/testing/outbound/web-push/certificate'
import { startPushService } from '@portal/platform/testing/outbound/web-push/push-service'
import { type Environment, newDataFolder } from './portal-process.ts'

/** A push service on this machine, and the settings with which a portal reaches it. */
export const startLocalPushService = async () => {
  const service = await startPushService()
  const folder = await newDataFolder()
  const certificateFile = join(folder.path, 'certificate.pem')
  await writeFile(certificateFile, pushServiceCertificate)
  const settings: Environment = { PUSH_PRIVATE_HOSTS: '127.0.0.1', NODE_EXTRA_CA_CERTS: certificateFile }
  return {
    settings,
    received: service.received,
    /** Accepts no push while the work runs, as a service that is down. */
    whileDown: async <T>(work: () => Promise<T>): Promise<T> => {
      const { answer } = service
      service.answer = () => ({ status: 503 })
      try {
        return await work()
      } finally {
        service.answer = answer
      }
    },
    /** Subscribes a new browser with the public key of a portal. Returns its token. */
    subscribe: (key: string): string => service.subscribe(key, `https://127.0.0.1:${service.port}`),
    stop: async (): Promise<void> => {
      await service.stop()
      await rm(folder.path, { recursive: true })
    },
  }
}
export type LocalPushService = Awaited<ReturnType<typeof startLocalPushService>>
