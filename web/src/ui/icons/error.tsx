import { Icon, type IconProps } from './icon.tsx'

export const ErrorIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V13M12 16.2v.1" />
  </Icon>
)
