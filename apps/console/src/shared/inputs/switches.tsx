import { DesktopOutlined, GlobalOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage, useLanguage } from '../i18n/i18n.ts'
import { type Appearance, chooseAppearance, useAppearance } from '../screen/appearance.ts'

/** Switch between Chinese and English. */
export function LanguageSwitch(): ReactNode {
  const { t } = useTranslation('common')
  const language = useLanguage()
  const items = [
    { key: 'zh', label: '中文', onClick: () => changeLanguage('zh') },
    { key: 'en', label: 'English', onClick: () => changeLanguage('en') },
  ]
  const name = language === 'zh' ? '中文' : 'EN'
  // The accessible name includes the visible text, so that voice control finds the button.
  const label = `${t('navbar.language')} ${name}`
  return (
    <Dropdown menu={{ items, selectedKeys: [language] }} trigger={['click']}>
      <Button type="text" icon={<GlobalOutlined />} aria-label={label} data-testid="language">
        <span className="language-name">{name}</span>
      </Button>
    </Dropdown>
  )
}

const icons: Readonly<Record<Appearance, ReactNode>> = {
  light: <SunOutlined />,
  dark: <MoonOutlined />,
  system: <DesktopOutlined />,
}

/** Switch for light, dark or system theme. */
export function ThemeSwitch(): ReactNode {
  const { t } = useTranslation('common')
  const { appearance } = useAppearance()
  const choose = (key: Appearance, label: string) => ({
    key,
    label,
    icon: icons[key],
    onClick: () => chooseAppearance(key),
  })
  const items = [
    choose('light', t('navbar.themeLight')),
    choose('dark', t('navbar.themeDark')),
    choose('system', t('navbar.themeSystem')),
  ]
  return (
    <Dropdown menu={{ items, selectedKeys: [appearance] }} trigger={['click']}>
      <Button type="text" icon={icons[appearance]} aria-label={t('navbar.theme')} data-testid="theme" />
    </Dropdown>
  )
}
