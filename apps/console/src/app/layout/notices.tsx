import { message as antMessage, Button } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Notice } from '../../shared/notices/notice-list.ts'
import { useNotices } from '../../shared/notices/notices.ts'

/** Maximum of messages shown at once. */
const MAX_MESSAGES = 4

/** Shows the notices as antd messages. Removes a message that was merged into another one. */
export function Notices(): ReactNode {
  const { t } = useTranslation('common')
  const [message, place] = antMessage.useMessage({ maxCount: MAX_MESSAGES })
  const { notices } = useNotices()
  const shown = useRef<readonly Notice[]>([])
  useEffect(() => {
    const before = shown.current
    shown.current = notices
    for (const { key, until } of before) {
      const isFolded = until > Date.now() && !notices.some((notice) => notice.key === key)
      if (isFolded) message.destroy(key)
    }
    for (const notice of notices) {
      if (before.includes(notice)) continue
      const { key, level, text, durationS, count, action } = notice
      const words = count > 1 ? t('failure.several', { count, text }) : text
      const act = () => {
        message.destroy(key)
        action?.act()
      }
      const content = action ? (
        <>
          {words}{' '}
          <Button type="link" size="small" data-testid="notice-action" onClick={act}>
            {action.label}
          </Button>
        </>
      ) : (
        words
      )
      void message.open({ key, type: level, content, duration: durationS })
    }
  }, [notices, message, t])
  return place
}
