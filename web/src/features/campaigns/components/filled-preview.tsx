import Typography from '@mui/material/Typography'
import type { Audience } from '@portal/contracts/notifications/audience'
import { languageNames } from '@portal/contracts/shared/languages'
import { useState } from 'react'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import type { SentText } from '../draft.ts'
import { useFilledText } from '../use-filled-text.ts'
import { PhonePreview } from './phone-preview.tsx'

type FilledPreviewProps = { readonly text: SentText; readonly audience: Audience }

/** The notification as a phone of one reader shows it, in either language. */
export const FilledPreview = ({ text, audience }: FilledPreviewProps) => {
  const { translation } = text
  const [shown, setShown] = useState<'original' | 'translation'>('original')
  const chosen = shown === 'translation' ? translation : undefined
  const filled = useFilledText(chosen ? { ...text, title: chosen.title, message: chosen.message } : text, audience)
  const { reader } = filled
  return (
    <>
      {translation && (
        <SegmentedControl
          label="Language of the preview"
          value={shown}
          options={[
            { value: 'original', label: 'Original' },
            { value: 'translation', label: languageNames[translation.lang], lang: translation.lang },
          ]}
          onChange={setShown}
        />
      )}
      <PhonePreview text={filled.text} lang={chosen?.lang} />
      {reader && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {`As ${reader.name}${reader.isSample ? ', an example,' : ''} reads it. Others see their own name, program and code.`}
        </Typography>
      )}
    </>
  )
}
