import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type ApiKey, revokeApiKey } from '@portal/contracts/auth/api-keys'
import { useState } from 'react'
import { call } from '../../lib/http.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { dayText } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast/atoms.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { rightName } from './rights.ts'

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 4),
    minHeight: 72,
    paddingBlock: theme.spacing(3),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  // A label can be one long word.
  '& li > div': { minWidth: 0, overflowWrap: 'anywhere' },
  '& .name': { fontWeight: 600 },
  '& p': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
  '& button': { marginInline: theme.spacing(-3) },
}))

const textOfDates = ({ createdAt, lastUsedOn }: ApiKey): string =>
  `Created ${dayText(createdAt)} · ${lastUsedOn === undefined ? 'Never used' : `Last used ${dayText(lastUsedOn)}`}`

type ApiKeyListProps = {
  readonly apiKeys: readonly ApiKey[]
  readonly onChange: () => Promise<unknown>
  /** A row with the focus has disappeared. */
  readonly onRemoved: () => void
}

export const ApiKeyList = ({ apiKeys, onChange, onRemoved }: ApiKeyListProps) => {
  const [asked, setAsked] = useState<ApiKey | null>(null)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const revoke = async ({ id, label }: ApiKey) => {
    setBusy(true)
    const answer = await call(revokeApiKey, { params: { id } })
    setBusy(false)
    // The dialog returns the focus to a button, which then disappears.
    setAsked(null)
    await onChange()
    const subject = 'api-key'
    const isGone = !answer.success && answer.code === 'not-found'
    if (!answer.success && !isGone) return toast.error(answer.message, { subject })
    onRemoved()
    return toast.success(`${label} revoked`, { subject })
  }
  return (
    <>
      <List>
        {apiKeys.map((apiKey) => (
          <li key={apiKey.id}>
            <div>
              <div className="name">{apiKey.label}</div>
              <p>{apiKey.rights.map((right) => rightName[right]).join(' · ')}</p>
              <p>{textOfDates(apiKey)}</p>
            </div>
            <Button variant="text" size="small" color="secondary" onClick={() => setAsked(apiKey)}>
              <span>
                Revoke
                <VisuallyHidden>{` ${apiKey.label}`}</VisuallyHidden>
              </span>
            </Button>
          </li>
        ))}
      </List>
      <ConfirmDialog
        open={asked !== null}
        question={asked === null ? '' : `Revoke ${asked.label}?`}
        consequence="Programs that use this key are refused at once. This cannot be undone."
        confirmText="Revoke"
        destructive
        busy={busy}
        onConfirm={() => asked && void revoke(asked)}
        onCancel={() => setAsked(null)}
      />
    </>
  )
}
