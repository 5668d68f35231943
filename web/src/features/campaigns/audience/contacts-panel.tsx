import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useEffectEvent, useRef, useState, type DragEvent } from 'react'
import { TextField } from '../../../ui/text-field.tsx'
import { formatCount } from '../progress.ts'
import { readContacts, readContactsFile } from './read-contacts.ts'
import type { ContactList } from './rule.ts'

const Panel = styled('div', { shouldForwardProp: (prop) => prop !== 'over' })<{ over: boolean }>(({ theme, over }) => ({
  display: 'grid',
  gap: theme.spacing(3),
  padding: theme.spacing(4),
  border: `1px dashed ${over ? theme.vars.palette.primary.main : theme.vars.palette.portal.edge}`,
  borderRadius: theme.portal.radii.control,
  backgroundColor: over ? theme.vars.palette.portal.accentSoft : 'transparent',
}))

const FileRow = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(3),
}))

const pasteDelayMs = 300

type ContactsPanelProps = { readonly onList: (list: ContactList | undefined) => void }

/** Takes a pasted list or a file with one. The file is read in the browser and is not uploaded. */
export const ContactsPanel = ({ onList }: ContactsPanelProps) => {
  const [text, setText] = useState<string>()
  const [error, setError] = useState<string>()
  const [isDraggedOver, setDraggedOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  /** Counts the reads, because a large file may be read after a later one. */
  const reads = useRef(0)

  const use = async (source: string, read: ReturnType<typeof readContacts>) => {
    const turn = ++reads.current
    const result = await read.catch(() => ({ isRead: false, message: 'This file cannot be read.' }) as const)
    if (turn !== reads.current) return
    setError(result.isRead ? undefined : result.message)
    onList(result.isRead ? { source, contacts: result.contacts } : undefined)
  }
  const useFile = (file: File | undefined) => {
    if (!file) return
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

  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setDraggedOver(false)
    useFile(event.dataTransfer.files[0])
  }

  return (
    <Panel
      over={isDraggedOver}
      onDragOver={(event) => {
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={onDrop}
    >
      <TextField
        label="Email addresses or student codes"
        placeholder="One on each line, or a table with a column of them"
        multiline
        minRows={3}
        maxRows={6}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        value={text ?? ''}
        onChange={({ target }) => setText(target.value)}
      />
      <FileRow>
        <Button variant="outlined" color="secondary" size="small" onClick={() => chooser.current?.click()}>
          Choose a file
        </Button>
        <Typography variant="caption" color="textSecondary">
          {`CSV, text or Excel; or drop it here. Up to 5 MB and ${formatCount(limits.audienceContacts)} entries. It is not stored.`}
        </Typography>
        <input
          ref={chooser}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.eml,.vcf,text/*"
          aria-label="File with a list"
          hidden
          onChange={({ target }) => {
            useFile(target.files?.[0])
            // Choosing the same file again must read it again.
            target.value = ''
          }}
        />
      </FileRow>
      {error !== undefined && (
        <FormHelperText error role="alert" sx={{ mt: 0 }}>
          {error}
        </FormHelperText>
      )}
    </Panel>
  )
}
