import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useRef, useState, type DragEvent } from 'react'
import { TextField } from './text-field.tsx'

const Panel = styled('div', { shouldForwardProp: (prop) => prop !== 'over' })<{ over: boolean }>(({ theme, over }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
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
  overflowWrap: 'anywhere',
}))

type ListSourceProps = {
  readonly label: string
  readonly placeholder: string
  /** What the file may be. */
  readonly note: string
  readonly text: string
  readonly error: string | undefined
  readonly onText: (text: string) => void
  readonly onFile: (file: File) => void
}

/** Takes a pasted list or a file with one, which is chosen or dropped. */
export const ListSource = ({ label, placeholder, note, text, error, onText, onFile }: ListSourceProps) => {
  const [isDraggedOver, setDraggedOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const useFile = (file: File | undefined) => {
    if (file) onFile(file)
  }
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
        label={label}
        placeholder={placeholder}
        multiline
        minRows={3}
        maxRows={6}
        spellCheck={false}
        autoComplete="off"
        autoFocus
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      <FileRow>
        <Button variant="outlined" color="secondary" size="small" onClick={() => chooser.current?.click()}>
          Choose a file
        </Button>
        <Typography variant="caption" color="textSecondary">
          {note}
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
