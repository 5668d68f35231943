import type { Logger } from 'pino'
import type { Bus } from './port.ts'

export const openKafkaBus = async ({ url }: { readonly url: string; readonly logger: Logger }): Promise<Bus> => {
  throw new Error(`BUS_URL: Kafka is not supported yet (an address of ${url.length} characters)`)
}
