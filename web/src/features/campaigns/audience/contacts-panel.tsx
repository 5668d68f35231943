import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ListSource } from '../../../ui/list-source.tsx'
import { formatCount } from '../progress.ts'
import { readContacts, readContactsFile } from './read-contacts.ts'
import type { ContactList } from './rule.ts'

const pasteDelayMs = 300

type ContactsPanelProps = { readonly onList: (list: ContactList | undefined) => void }

/** Takes a pasted list or a file with one. The file is read in the browser and is not uploaded. */
export const ContactsPanel = ({ onList }: ContactsPanelProps) => {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<string>()
  /** Counts the reads, because a large file may be read after a later one. */
  const reads = useRef(0)

  const use = async (source: string, read: ReturnType<typeof readContacts>) => {
    const turn = ++reads.current
    const result = await read.catch(() => ({ isRead: false, message: 'This file cannot be read.' }) as const)
    if (turn !== reads.current) return
    setError(result.isRead ? undefined : result.message)
    onList(result.isRead ? { source, contacts: result.contacts } : undefined)
  }
  const useFile = (file: File) => {
    setText(undefined)
    void use(file.name, readContactsFile(file))
  }
  const useText = useEffectEvent((pasted: string) => {
    if (pasted.trim() !== '') return void use('the pasted list', readContacts(pasted))
    setError(undefined)
    onList(undefined)
  })
  useEffect(() => {
    if (text === undefined) return undefined
    const timer = setTimeout(() => useText(text), pasteDelayMs)
    return () => clearTimeout(timer)
  }, [text])

  return (
    <ListSource
      label="Email addresses or student codes"
      placeholder="One on each line, or a table with a column of them"
      note={`CSV, text or Excel; or drop it here. Up to 5 MB and ${formatCount(limits.audienceContacts)} entries. It is not stored.`}
      text={text ?? ''}
      error={error}
      onText={setText}
      onFile={useFile}
    />
  )
}
