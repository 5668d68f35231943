import { useRef, useState } from 'react'
import { readListFile } from '../../../../lib/lists/read-list-file.ts'

/** A field cannot show more. */
const maxChars = 1_000_000
const tooLarge = 'This is too large. Keep only the columns that are needed.'

/** A list that was pasted, or read from a file into the field, where it can be corrected. */
export const useListText = () => {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isReading, setReading] = useState(false)
  /** A large file may be read after a later one. */
  const turns = useRef(0)

  const type = (typed: string) => {
    turns.current += 1
    setError(typed.length > maxChars ? tooLarge : undefined)
    setText(typed.slice(0, maxChars))
  }
  const readFile = async (file: File) => {
    turns.current += 1
    const turn = turns.current
    const read = await readListFile(file).catch(
      () => ({ isRead: false, message: 'This file cannot be read.' }) as const,
    )
    if (turn !== turns.current) return
    if (!read.isRead) setError(read.message)
    else if (read.text.length > maxChars) setError(tooLarge)
    else type(read.text)
  }

  return {
    text,
    error,
    isReading,
    setText: type,
    useFile: (file: File) => void readFile(file),
    /** What a reader finds in the list; undefined if it is empty. Shows why it cannot be read. */
    read: async <Result extends { readonly isRead: true } | { readonly isRead: false; readonly message: string }>(
      reader: (list: string) => Promise<Result>,
    ): Promise<Result | undefined> => {
      if (text.trim() === '') {
        setError('Please paste a list or choose a file')
        return undefined
      }
      setReading(true)
      const result = await reader(text)
      setReading(false)
      setError(result.isRead ? undefined : result.message)
      return result
    },
  }
}
