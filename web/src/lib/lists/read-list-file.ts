import { loadForPage } from '../load-module.ts'

export const maxListBytes = 5 * 1024 * 1024

type ListText = { readonly isRead: true; readonly text: string } | { readonly isRead: false; readonly message: string }

const rejected = (message: string): ListText => ({ isRead: false, message })

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes)

/** The formats that people choose by mistake, by how their files begin. */
const binaryFormats: readonly (readonly [start: string, message: string])[] = [
  ['%PDF', 'This is a PDF. Copy the list out of it and paste it here.'],
  ['\xD0\xCF\x11\xE0', 'This is an Excel workbook of an old format. Save it as CSV.'],
]

const openDocument = 'This is an OpenDocument file. Save it as CSV.'

const zipStart = 'PK\u0003\u0004'

/** Cells are separated by tabs. A cell with a line break or a quote is quoted, as in CSV. */
const cellText = (cell: unknown): string => {
  const text = cell instanceof Date ? cell.toISOString() : `${cell ?? ''}`.replaceAll('\t', ' ')
  return /[\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** All sheets, a row a line. The library loads on first use, because few lists are workbooks. */
const readWorkbook = async (bytes: Uint8Array<ArrayBuffer>): Promise<ListText> => {
  const { default: readSheets } = await loadForPage(() => import('read-excel-file/universal'))
  try {
    const sheets = await readSheets(bytes.buffer)
    const rows = sheets.flatMap(({ data }) => data)
    return { isRead: true, text: rows.map((cells) => cells.map(cellText).join('\t')).join('\n') }
  } catch {
    return rejected('This file cannot be read as an Excel workbook. Save it as CSV.')
  }
}

/** Excel saves "Unicode text" as UTF-16 with a byte order mark, and CSV in the encoding of the system. */
const decode = (bytes: Uint8Array): string => {
  const mark = ascii(bytes.subarray(0, 2))
  if (mark === '\xFF\xFE') return new TextDecoder('utf-16le').decode(bytes)
  if (mark === '\xFE\xFF') return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The text of a file with a list: of an Excel workbook, or of any text file. */
export const readListFile = async (file: File): Promise<ListText> => {
  if (file.size > maxListBytes) return rejected('This is larger than 5 MB. Keep only the column that is needed.')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const beginning = ascii(bytes.subarray(0, 100))
  const binary = binaryFormats.find(([start]) => beginning.startsWith(start))
  if (binary) return rejected(binary[1])
  if (beginning.startsWith(zipStart))
    return beginning.includes('application/vnd.oasis') ? rejected(openDocument) : readWorkbook(bytes)
  const text = decode(bytes)
  return text.includes('\0') ? rejected('This is not a text file. Save the list as CSV.') : { isRead: true, text }
}
