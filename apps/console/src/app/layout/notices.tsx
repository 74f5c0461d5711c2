import { App } from 'antd'
import { useEffect } from 'react'
import { takeNotices, useNotices } from '../../shared/ui/notices.ts'

/** Shows what waits to be said, through antd's messages. A text that already stands is not repeated. */
export function Notices(): null {
  const { message } = App.useApp()
  const { waiting } = useNotices()
  useEffect(() => {
    if (waiting.length === 0) return
    for (const { level, text, durationS } of takeNotices()) {
      void message.open({ key: text, type: level, content: text, duration: durationS })
    }
  }, [waiting, message])
  return null
}
