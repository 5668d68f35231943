import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import { limits } from '@portal/contracts/shared/rules'
import { formatCount } from '../progress.ts'
import type { AudienceCount } from './use-audience-count.ts'

const Line = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(2),
  '& [role="status"]': { minWidth: 0, overflowWrap: 'anywhere' },
}))

const Sentence = styled('span', { shouldForwardProp: (prop) => prop !== 'stale' })<{ stale: boolean }>(
  ({ theme, stale }) => ({
    ...theme.typography.subtitle2,
    fontVariantNumeric: 'tabular-nums',
    opacity: stale ? 0.5 : 1,
    transition: theme.transitions.create('opacity', { duration: theme.transitions.duration.shortest }),
  }),
)

/** Stated before sending, because the server rejects larger sends. */
const limitsText =
  `Groups reach up to ${formatCount(limits.recipientsPerAudience)} people. ` +
  `By hand you can tick up to ${formatCount(limits.recipientsPerSend)}.`

export const tooManyText = (count: number): string =>
  `${formatCount(count)} people are too many. A notification can go to at most ` +
  `${formatCount(limits.recipientsPerAudience)} at once.`

type AudienceSummaryProps = {
  readonly isEmpty: boolean
  readonly count: AudienceCount
}

/** Who gets the notification, as a sentence of the server with the number of people. */
export const AudienceSummary = ({ isEmpty, count }: AudienceSummaryProps) => {
  const { data, isStale, failure, retry } = count
  return (
    <div>
      <Line>
        <div role="status" aria-busy={!isEmpty && isStale && !failure}>
          {isEmpty && (
            <Typography variant="body2">No one is selected yet. Choose a group, or tick people below.</Typography>
          )}
          {!isEmpty && !failure && data && <Sentence stale={isStale}>{data.sentence}</Sentence>}
          {!isEmpty && !failure && !data && <Typography variant="body2">Counting…</Typography>}
          {!isEmpty && failure && (
            <Typography variant="body2" color="error">
              {failure.message}
            </Typography>
          )}
        </div>
        {!isEmpty && failure && (
          <Button variant="text" color="secondary" size="small" onClick={retry}>
            Count again
          </Button>
        )}
      </Line>
      <Typography
        variant="caption"
        component="p"
        color={data && data.count > limits.recipientsPerAudience ? 'error' : 'textSecondary'}
      >
        {data && data.count > limits.recipientsPerAudience ? tooManyText(data.count) : limitsText}
      </Typography>
    </div>
  )
}
