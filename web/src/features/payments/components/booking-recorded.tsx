import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { ActionBar, ActionPage } from '../../../ui/action-bar.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { CheckIcon } from '../../../ui/icons.tsx'
import { ToneBadge } from '../../../ui/type-badge.tsx'

const Head = styled('div')(({ theme }) => ({
  display: 'grid',
  justifyItems: 'start',
  gap: theme.spacing(3),
  '& .sign': {
    display: 'grid',
    placeItems: 'center',
    width: 48,
    height: 48,
    borderRadius: '50%',
    color: theme.vars.palette.portal.tones.green.text,
    background: theme.vars.palette.portal.tones.green.background,
  },
  '& h2:focus-visible': { outline: 'none' },
}))

/** This notice is shown before and after the booking. */
export const paymentNotice = 'Online payment isn’t available yet; the center will contact you about payment.'

/** The enrollment is recorded, but there is no payment provider yet, so the fee is still due. */
export const BookingRecorded = ({ enrollment }: { enrollment: Enrollment }) => {
  const { programId, programName, currentSemester, paymentStatus } = enrollment
  const title = useRef<HTMLHeadingElement>(null)
  // The focused button is unmounted: move the focus to the title.
  useEffect(() => title.current?.focus(), [])
  return (
    <ActionPage>
      <Head>
        <span className="sign">
          <CheckIcon weight={2.25} />
        </span>
        <Typography variant="h2" ref={title} tabIndex={-1}>
          You’re enrolled
        </Typography>
        <Typography color="textSecondary">{`You have not been charged. ${paymentNotice}`}</Typography>
      </Head>
      <DescriptionList
        items={[
          { name: 'Program', value: programName },
          { name: 'Starts with', value: currentSemester },
          {
            name: 'Payment',
            value: <ToneBadge tone={paymentStatus === 'Completed' ? 'green' : 'yellow'}>{paymentStatus}</ToneBadge>,
          },
        ]}
      />
      <ActionBar>
        <Button component={Link} to={`/program-details-active/${programId}`} replace size="large" fullWidth>
          Go to your program
        </Button>
      </ActionBar>
    </ActionPage>
  )
}
