import Typography from '@mui/material/Typography'
import type { Audience } from '@portal/contracts/notifications/audience'
import type { SentText } from '../draft.ts'
import { useFilledText } from '../use-filled-text.ts'
import { PhonePreview } from './phone-preview.tsx'

type FilledPreviewProps = { readonly text: SentText; readonly audience: Audience }

/** The notification as a phone of one reader shows it. */
export const FilledPreview = ({ text, audience }: FilledPreviewProps) => {
  const filled = useFilledText(text, audience)
  const { reader } = filled
  return (
    <>
      <PhonePreview text={filled.text} />
      {reader && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {`As ${reader.name}${reader.isSample ? ', an example,' : ''} reads it. Others see their own name, program and code.`}
        </Typography>
      )}
    </>
  )
}
