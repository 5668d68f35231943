import type { HealthPart } from '@portal/platform/observability/health'
import type { ServiceAddresses } from './pass-on.ts'

const timeoutMs = 1_500

/** Without one of them the gateway still has pages, sockets and the others' calls. */
export const watchServices = ({ watch }: { watch(part: HealthPart): void }, addresses: ServiceAddresses): void => {
  for (const [name, address] of Object.entries(addresses)) {
    const check = async (): Promise<void> => {
      const response = await fetch(new URL('/health/ready', address), {
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`${name} answers ${response.status} when asked how it is`)
    }
    watch({ name, isCritical: false, check })
  }
}
