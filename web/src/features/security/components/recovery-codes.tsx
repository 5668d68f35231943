import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useEffect, useRef } from 'react'
import { offerFile } from '../../../lib/download.ts'
import { useToast } from '../../../ui/toast/atoms.ts'

const Section = styled('section')(({ theme }) => ({ display: 'grid', gap: theme.spacing(5) }))

const Codes = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(144px, 1fr))',
  gap: theme.spacing(2, 4),
  margin: 0,
  padding: theme.spacing(4),
  listStyle: 'none',
  fontFamily: theme.portal.codeFont,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.portal.radii.control,
}))

const Actions = styled('div')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(3) }))

const fileName = 'recovery-codes.txt'
const heading = 'Recovery codes of your account at Minor Programs. Each works once.'

type RecoveryCodesProps = {
  readonly codes: readonly string[]
  readonly doneText: string
  readonly onDone: () => void
}

/** The portal keeps only hashes, so it cannot show the codes again. */
export const RecoveryCodes = ({ codes, doneText, onDone }: RecoveryCodesProps) => {
  const toast = useToast()
  const title = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is gone.
  useEffect(() => title.current?.focus(), [])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      toast.success('Recovery codes copied', { subject: 'copy' })
    } catch (error) {
      console.warn('copying the recovery codes failed', error)
      toast.error('Failed to copy. Select the codes to copy them.', { subject: 'copy' })
    }
  }
  const download = () =>
    offerFile(new Blob([`${[heading, '', ...codes].join('\n')}\n`], { type: 'text/plain' }), fileName)
  return (
    <Section aria-labelledby="recovery-codes-heading">
      <Typography variant="h2" id="recovery-codes-heading" ref={title} tabIndex={-1}>
        Your recovery codes
      </Typography>
      <Typography>
        Each logs you in once without your authenticator app or passkey. Keep them in a safe place: they are shown only
        now.
      </Typography>
      <Codes aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Codes>
      <Actions>
        <Button variant="outlined" color="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="outlined" color="secondary" onClick={download}>
          Download
        </Button>
      </Actions>
      <Actions>
        <Button onClick={onDone}>
          <span>{doneText}</span>
        </Button>
      </Actions>
    </Section>
  )
}
