import { Icon, type IconProps } from './icon.tsx'

export const ProfileIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="8.2" r="3.7" />
    <path d="M4.7 20c.7-3.9 3.6-5.9 7.3-5.9s6.6 2 7.3 5.9" />
  </Icon>
)
