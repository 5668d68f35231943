import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { ErrorBanner, SuccessBanner } from '../../../../ui/banner.tsx'
import { BusyButton } from '../../../../ui/busy-button.tsx'
import type { Notice } from './failure-notice.ts'
import { footRoom, useRoomForFoot } from './use-room-for-foot.ts'

/** Stays in sight, at the foot of the window, and its messages with it. They take a place of their own: nothing stands beneath them for good. */
const Foot = styled('div')(({ theme }) => ({
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(0, 2),
  marginTop: theme.spacing(8),
  paddingTop: theme.spacing(3),
  paddingBottom: `calc(env(safe-area-inset-bottom) + ${theme.spacing(4)})`,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.default,
  // In sight as it is: the page does not jump to bring what stands here above the room kept free for it.
  '& :is(a, button)': { scrollMarginBlock: `var(${footRoom}, 0px) calc(-1 * var(${footRoom}, 0px))` },
  [theme.breakpoints.down('sm')]: { '& > .MuiButton-contained': { flex: 1 } },
}))

const Messages = styled('div')({ flex: '1 0 100%' })

const Reason = styled('span')(({ theme }) => ({ ...theme.typography.body2, display: 'block' }))

type FormFootProps = {
  readonly formId: string
  readonly submitText: string
  readonly busyText: string
  readonly busy: boolean
  readonly notice: Notice | null
  readonly onClose: () => void
}

export const FormFoot = ({ formId, submitText, busyText, busy, notice, onClose }: FormFootProps) => {
  const foot = useRef<HTMLDivElement>(null)
  useRoomForFoot(foot)
  return (
    <Foot ref={foot}>
      <Messages>
        {notice?.kind === 'done' && <SuccessBanner>{notice.text}</SuccessBanner>}
        {notice?.kind === 'failed' && (
          <ErrorBanner onClose={onClose}>
            <span>{notice.text}</span>
            {notice.detail !== undefined && <Reason>{notice.detail}</Reason>}
            {notice.remedy !== undefined && (
              <Button variant="text" color="inherit" size="small" onClick={notice.remedy.run} sx={{ marginLeft: -2 }}>
                {notice.remedy.text}
              </Button>
            )}
          </ErrorBanner>
        )}
      </Messages>
      <BusyButton type="submit" form={formId} size="large" busy={busy} busyText={busyText}>
        {submitText}
      </BusyButton>
      <Button component={Link} to="/admin/programs" size="large" variant="text" color="secondary">
        Cancel
      </Button>
    </Foot>
  )
}
