import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import type { Template } from '@portal/contracts/notifications/templates'
import { useId, useState } from 'react'
import { useCloseOnBack } from '../../../lib/history-guard.ts'
import { normalizeText } from '@portal/contracts/shared/search-text'
import { matchesAllWords } from '../../../lib/search-text.ts'
import { ErrorBanner } from '../../../ui/banner.tsx'
import { LoadingText } from '../../../ui/skeletons.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { languageOf } from '../../../ui/text-language.ts'
import { exactTime } from '../../../ui/time.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { deletedAccount } from '../campaign.ts'
import { DialogList } from '../components/dialog-list.tsx'

const lastUseText = ({ lastUse }: Template): string =>
  lastUse ? `Last used ${exactTime(lastUse.at)} by ${lastUse.by.fullName || deletedAccount}` : 'Not used yet'

const isFound = ({ name, title }: Template, query: string): boolean =>
  matchesAllWords(normalizeText(`${name} ${title}`), query)

type Choice = (template: Template) => void
type RowProps = {
  readonly template: Template
  readonly onUse: Choice
  readonly onRename: Choice
  readonly onDelete: Choice
}

const Row = ({ template, onUse, onRename, onDelete }: RowProps) => {
  const { name, title } = template
  return (
    <li>
      <div className="about">
        <span className="name" lang={languageOf(name)}>
          {name}
        </span>
        <span className="facts" lang={languageOf(title)}>
          {title}
        </span>
        <span className="facts">{lastUseText(template)}</span>
      </div>
      <div className="actions">
        <Button variant="outlined" color="secondary" onClick={() => onUse(template)}>
          Use<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
        <Button variant="text" color="secondary" onClick={() => onRename(template)}>
          Rename<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
        <Button variant="text" color="error" onClick={() => onDelete(template)}>
          Delete<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      </div>
    </li>
  )
}

type TemplateListProps = Omit<RowProps, 'template'> & {
  readonly isOpen: boolean
  readonly templates: readonly Template[] | undefined
  readonly error: string | undefined
  /** Whether a dialog over this one is open, which Back closes first. */
  readonly isCovered: boolean
  readonly onClose: () => void
}

/** The templates of all admins, which a few letters find. */
export const TemplateList = (props: TemplateListProps) => {
  const { isOpen, templates = [], error, isCovered, onClose, ...choices } = props
  const id = useId()
  const [query, setQuery] = useState('')
  const close = () => {
    setQuery('')
    onClose()
  }
  useCloseOnBack(isOpen && !isCovered, close)
  const found = templates.filter((template) => isFound(template, query))
  return (
    <Dialog open={isOpen} onClose={close} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} variant="h3">
        Templates
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 3, alignContent: 'start', '&&': { paddingTop: 1 } }}>
        {error !== undefined && <ErrorBanner>{error}</ErrorBanner>}
        {!props.templates && error === undefined && <LoadingText>Loading templates...</LoadingText>}
        {props.templates?.length === 0 && (
          <DialogContentText>No templates yet. Write a notification and choose “Save as template”.</DialogContentText>
        )}
        {templates.length > 0 && <SearchField label="Search templates" value={query} onChange={setQuery} />}
        {templates.length > 0 && found.length === 0 && <DialogContentText>No template matches.</DialogContentText>}
        <DialogList aria-label="Templates">
          {found.map((template) => (
            <Row key={template._id} template={template} {...choices} />
          ))}
        </DialogList>
      </DialogContent>
      <DialogActions>
        <Button variant="text" color="secondary" autoFocus onClick={close}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
