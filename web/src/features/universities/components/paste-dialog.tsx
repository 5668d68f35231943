import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { University } from '@portal/contracts/catalog/http'
import { limits } from '@portal/contracts/shared/rules'
import { useEffect, useRef, useState } from 'react'
import { groupedByThree } from '../../../lib/number-format.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { addMany } from '../add-many.ts'
import type { PastedNames } from '../parse-names.ts'
import { countText } from '../use-undoable-changes.ts'

const Names = styled('ul')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  paddingLeft: theme.spacing(5),
  maxHeight: '12rem',
  overflowY: 'auto',
  overflowWrap: 'anywhere',
}))

const Track = styled('div')(({ theme }) => ({
  height: 4,
  borderRadius: 2,
  overflow: 'hidden',
  backgroundColor: theme.vars.palette.divider,
  '& > div': { height: '100%', backgroundColor: theme.vars.palette.primary.main },
}))

const leftOutText = ({ known, tooLong, noRoom }: PastedNames): string => {
  const parts = [
    ...(known > 0 ? [`${known} ${known === 1 ? 'exists' : 'exist'} already.`] : []),
    ...(tooLong > 0 ? [`${tooLong} ${tooLong === 1 ? 'is' : 'are'} too long and left out.`] : []),
    ...(noRoom > 0
      ? [
          `${groupedByThree(noRoom)} left out, because there can be at most ${groupedByThree(limits.universities)} universities.`,
        ]
      : []),
  ]
  return parts.join(' ')
}

type PasteDialogProps = {
  /** Undefined while the dialog is closed. */
  readonly names: PastedNames | undefined
  readonly onAdded: (added: readonly University[], failure: string | undefined) => Promise<void>
  readonly onClose: () => void
}

/** Asks before it adds the pasted universities, and shows its progress. Closing it stops after the current one. */
export const PasteDialog = ({ names, onAdded, onClose }: PasteDialogProps) => {
  const [done, setDone] = useState<number>()
  const aborter = useRef<AbortController>(undefined)
  useEffect(() => () => aborter.current?.abort(), [])
  const toAdd = names?.toAdd ?? []

  const confirm = async () => {
    if (toAdd.length === 0) return onClose()
    const running = new AbortController()
    aborter.current = running
    const { added, failure } = await addMany({ names: toAdd, onProgress: setDone, signal: running.signal })
    await onAdded(added, failure)
    setDone(undefined)
    onClose()
  }
  const cancel = () => (done === undefined ? onClose() : aborter.current?.abort())

  return (
    <ConfirmDialog
      open={names !== undefined}
      question={toAdd.length === 0 ? 'Nothing to add' : `Add ${countText(toAdd.length)}?`}
      consequence={(names && leftOutText(names)) || undefined}
      confirmText={toAdd.length === 0 ? 'OK' : 'Add'}
      cancelText={done === undefined ? 'Cancel' : 'Stop'}
      busy={done !== undefined}
      onConfirm={() => void confirm()}
      onCancel={cancel}
    >
      {done === undefined ? (
        toAdd.length > 0 && (
          <Names tabIndex={0} aria-label="Pasted universities">
            {toAdd.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </Names>
        )
      ) : (
        <div>
          <Track
            role="progressbar"
            aria-label="Adding universities"
            aria-valuemin={0}
            aria-valuemax={toAdd.length}
            aria-valuenow={done}
          >
            <div style={{ width: `${(100 * done) / Math.max(1, toAdd.length)}%` }} />
          </Track>
          <Typography variant="body2" sx={{ marginTop: 2, fontVariantNumeric: 'tabular-nums' }}>
            {`Adding ${done + 1} of ${toAdd.length}`}
          </Typography>
        </div>
      )}
    </ConfirmDialog>
  )
}
