import { isIP } from 'node:net'

/** Whether a host name or address of a URL is this machine. */
export const isLoopback = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host === 'localhost'
}
