import { Icon, type IconProps } from './icon.tsx'

export const BellIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6.2 10a5.8 5.8 0 0 1 11.6 0c0 5.5 2.2 6.7 2.2 6.7H4s2.2-1.2 2.2-6.7zM10 20a2.2 2.2 0 0 0 4 0" />
  </Icon>
)
