import { CommandError } from '../command.ts'

const sqlite = 'sqlite:'
export const isFile = (url: string): boolean => url.startsWith(sqlite)
export const isKafka = (url: string): boolean => /^kafka(\+ssl)?:/.test(url)
export const isRedis = (url: string): boolean => /^rediss?:/.test(url)
export const fileOf = (url: string): string => url.slice(sqlite.length)

/** An address without credentials and options, for output. */
export const displayAddressOf = (url: string): string => {
  if (isFile(url)) return fileOf(url)
  if (url.startsWith('memory:')) return "in the portal's own process"
  const [scheme = '', rest = ''] = url.split('://')
  return `${scheme}://${rest.replace(/^.*@/, '').replace(/[/?].*$/, '')}`
}

/** The first line of an error, without credentials: client errors may quote the address. */
export const errorLine = (error: unknown, url: string): string => {
  const source = error instanceof CommandError ? (error.cause ?? error) : error
  const line = (source instanceof Error ? source.message : String(source)).split('\n')[0] ?? ''
  return line.replaceAll(url, displayAddressOf(url)).replaceAll(/\/\/[^/\s@]+@/g, '//')
}
