/** A ustar archive consists of 512-byte blocks: a header per entry, then its content, padded with zeros. */
export const blockBytes = 512

/** Two empty blocks. */
export const endOfArchive = Buffer.alloc(2 * blockBytes)

/** The number of zeros between the end of an entry and the next block. */
export const paddingOf = (bytes: number): number => (blockBytes - (bytes % blockBytes)) % blockBytes

export type TarEntry = { readonly name: string; readonly bytes: number }

/** Offset and length in the header, from POSIX.1-1988. */
const fields = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const
type Field = keyof typeof fields

const regularFile = '0'
const magic = 'ustar\u000000'
/** The largest size that eleven octal digits hold: 8 GiB. */
const maxOctalBytes = 0o77777777777
/** Marks a larger size, which is written in binary as in GNU tar. */
const binaryMark = 0x80

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

const slice = (header: Buffer, field: Field): Buffer => {
  const [offset, length] = fields[field]
  return header.subarray(offset, offset + length)
}

const textOf = (header: Buffer, field: Field): string => slice(header, field).toString('latin1').split('\0', 1)[0] ?? ''

/** The sum of all bytes of the header, with the checksum field as spaces. */
const checksumOf = (header: Buffer): number => {
  const [offset, length] = fields.checksum
  let sum = length * 0x20
  for (const [index, byte] of header.entries()) if (index < offset || index >= offset + length) sum += byte
  return sum
}

const writeSize = (header: Buffer, bytes: number): void => {
  if (bytes <= maxOctalBytes) {
    slice(header, 'size').write(octal(bytes, 11), 'latin1')
    return
  }
  const size = slice(header, 'size')
  size.writeUInt8(binaryMark, 0)
  size.writeBigUInt64BE(BigInt(bytes), 4)
}

const readSize = (header: Buffer): number => {
  const size = slice(header, 'size')
  if (size.readUInt8(0) === binaryMark) return Number(size.readBigUInt64BE(4))
  return Number.parseInt(textOf(header, 'size'), 8)
}

/** The header of a file that only its owner may read. */
export const tarHeader = ({ name, bytes }: TarEntry, modifiedAt: Date): Buffer => {
  const header = Buffer.alloc(blockBytes)
  const put = (field: Field, text: string): void => void slice(header, field).write(text, 'latin1')
  put('name', name)
  put('mode', octal(0o600, 7))
  put('uid', octal(0, 7))
  put('gid', octal(0, 7))
  writeSize(header, bytes)
  put('mtime', octal(Math.floor(modifiedAt.getTime() / 1_000), 11))
  put('type', regularFile)
  put('magic', magic)
  put('checksum', `${octal(checksumOf(header), 6)} `)
  return header
}

/** 'end' for an empty block; undefined if the block is not the header of a file. */
export const parseTarHeader = (header: Buffer): TarEntry | 'end' | undefined => {
  if (header.length !== blockBytes) return undefined
  if (header.every((byte) => byte === 0)) return 'end'
  if (textOf(header, 'magic') !== 'ustar' || textOf(header, 'type') !== regularFile) return undefined
  if (Number.parseInt(textOf(header, 'checksum'), 8) !== checksumOf(header)) return undefined
  const bytes = readSize(header)
  return Number.isSafeInteger(bytes) && bytes >= 0 ? { name: textOf(header, 'name'), bytes } : undefined
}
