import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useToast } from '../../ui/toast/atoms.ts'
import type { NewKey } from './new-key-dialog.tsx'

const Panel = styled('section')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(3),
  padding: theme.spacing(5),
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.sheet,
  backgroundColor: theme.vars.palette.background.paper,
  '& h2': { overflowWrap: 'anywhere' },
  '& h2:focus': { outline: 'none' },
  '& .row': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(2) },
}))

export const Code = styled('pre')(({ theme }) => ({
  ...theme.typography.body2,
  fontFamily: theme.portal.codeFont,
  margin: 0,
  padding: theme.spacing(2, 3),
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
}))

type ShownKeyProps = { readonly created: NewKey; readonly onDone: () => void }

/** The key itself, which the portal cannot show again. */
export const ShownKey = ({ created: { apiKey, key }, onDone }: ShownKeyProps) => {
  const toast = useToast()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(key)
      toast.success('Key copied', { subject: 'copy' })
    } catch {
      toast.error('The browser did not allow copying. Select the key and copy it.', { subject: 'copy' })
    }
  }
  return (
    <Panel aria-labelledby="new-key-heading">
      <Typography variant="h2" id="new-key-heading" ref={heading} tabIndex={-1}>
        {`Key of ${apiKey.label}`}
      </Typography>
      <Typography>Copy the key now: it is shown only once.</Typography>
      <Code>{key}</Code>
      <div className="row">
        <Button onClick={() => void copy()}>
          <span>Copy</span>
        </Button>
        <Button variant="text" color="secondary" onClick={onDone}>
          <span>Done</span>
        </Button>
      </div>
    </Panel>
  )
}
