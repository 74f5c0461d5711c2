import {
  DesktopOutlined,
  FullscreenOutlined,
  GlobalOutlined,
  LogoutOutlined,
  MoonOutlined,
  QuestionCircleOutlined,
  SunOutlined,
} from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { showHelp } from '../../features/help/help-store.ts'
import { signOut } from '../../features/session/sign-in/sign-out.ts'
import { changeLanguage, useLanguage } from '../../shared/i18n/i18n.ts'
import { chooseAppearance, useAppearance } from '../../shared/screen/appearance.ts'
import { toLoginPath } from '../guard/guard-target.ts'
import { toChapter } from '../help/to-chapter.ts'
import { toggleFullScreen } from '../state/full-screen.ts'
import { useCurrentPage } from '../state/use-current-page.ts'
import type { Action } from './entries.ts'

/** Commands of the palette that have an effect now; the current language, for example, is not offered. */
export function useActions(): readonly Action[] {
  const { t } = useTranslation('common')
  const language = useLanguage()
  const { appearance } = useAppearance()
  const navigate = useNavigate()
  const page = useCurrentPage()
  const logOut = () => {
    signOut()
    void navigate(toLoginPath('/'))
  }
  const other = language === 'zh' ? ('en' as const) : ('zh' as const)
  const appearances = [
    { key: 'light', label: t('palette.themeLight'), words: 'light theme 浅色', icon: SunOutlined },
    { key: 'dark', label: t('palette.themeDark'), words: 'dark theme 深色', icon: MoonOutlined },
    { key: 'system', label: t('palette.themeSystem'), words: 'system theme 系统', icon: DesktopOutlined },
  ] as const
  return [
    {
      id: 'language',
      label: t('palette.language', { name: other === 'en' ? 'English' : '中文' }),
      words: 'language 语言 english 中文',
      icon: GlobalOutlined,
      run: () => void changeLanguage(other),
    },
    ...appearances
      .filter(({ key }) => key !== appearance)
      .map(({ key, label, words, icon }) => ({
        id: key,
        label,
        words,
        icon,
        run: () => chooseAppearance(key),
      })),
    {
      id: 'full-screen',
      label: t('navbar.fullScreen'),
      words: 'full screen 全屏',
      icon: FullscreenOutlined,
      run: () => void toggleFullScreen(),
    },
    {
      id: 'help',
      label: t('title', { ns: 'help' }),
      words: 'help manual F1 帮助 手册',
      icon: QuestionCircleOutlined,
      run: () => showHelp({ chapter: toChapter(page) }),
    },
    {
      id: 'logout',
      label: t('navbar.logout'),
      words: 'log out sign out 注销 退出',
      icon: LogoutOutlined,
      run: logOut,
    },
  ]
}
