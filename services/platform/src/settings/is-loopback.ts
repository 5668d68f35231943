import { isIP } from 'node:net'

/** Whether the host of a URL is the loopback interface. */
export const isLoopback = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host === 'localhost'
}
