import { EyeInvisibleOutlined, EyeOutlined, LockOutlined } from '@ant-design/icons'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../shared/inputs/text-field.tsx'

/** A password field with a button that shows the text. */
export function PasswordField(
  props: Omit<ComponentProps<typeof TextField>, 'icon' | 'end' | 'type'>,
): ReactNode {
  const { t } = useTranslation('session')
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      icon={<LockOutlined />}
      end={
        <button
          type="button"
          className="bare"
          aria-label={t('login.showPassword')}
          title={t('login.showPassword')}
          aria-pressed={isShown}
          // Keep focus and cursor in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown((was) => !was)}
        >
          {isShown ? <EyeOutlined /> : <EyeInvisibleOutlined />}
        </button>
      }
    />
  )
}
