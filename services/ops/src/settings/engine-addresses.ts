import { shownAddressOf } from '@portal/platform/files/storage-urls'
import { CommandError } from '../command.ts'

const sqlite = 'sqlite:'
export const isFile = (url: string): boolean => url.startsWith(sqlite)
export const isKafka = (url: string): boolean => /^kafka(\+ssl)?:/.test(url)
export const isRedis = (url: string): boolean => /^rediss?:/.test(url)
export const fileOf = (url: string): string => url.slice(sqlite.length)

/** An address without credentials and options, for output. */
export const displayAddressOf = (url: string): string => {
  return url.startsWith('memory:') ? "in the portal's own process" : shownAddressOf(url)
}

/** The first line of an error, without credentials: client errors may quote the address. */
export const errorLine = (error: unknown, url: string): string => {
  const source = error instanceof CommandError ? (error.cause ?? error) : error
  const line = (source instanceof Error ? source.message : String(source)).split('\n')[0] ?? ''
  return line.replaceAll(url, displayAddressOf(url)).replaceAll(/\/\/[^/\s@]+@/g, '//')
}
