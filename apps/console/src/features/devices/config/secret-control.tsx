import { HIDDEN_SECRET } from '@isotherm/contract/gateways/secrets'
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { toText } from './draft/draft.ts'

interface SecretControlProps {
  readonly id: string
  readonly testId: string
  readonly value: unknown
  /** Whether a secret is stored here. */
  readonly isStored: boolean
  readonly isRequired: boolean
  readonly isFaulty: boolean
  /** Called with undefined if there is to be none. */
  readonly onValue: (value: unknown) => void
}

/**
 * The control of a secret. A stored one is not shown: what is entered replaces it, an empty field retains it, and only
 * a button removes it.
 */
export function SecretControl(props: SecretControlProps) {
  const { id, testId, value, isStored, isRequired, isFaulty, onValue } = props
  const { t } = useTranslation('devices')
  const isHidden = value === HIDDEN_SECRET
  const toPlaceholder = () => {
    if (isHidden) return t('config.secretStored')
    return isStored ? t('config.secretRemoved') : ''
  }
  return (
    <>
      <Input.Password
        id={id}
        data-testid={testId}
        aria-invalid={isFaulty}
        status={isFaulty ? 'error' : ''}
        value={isHidden ? '' : toText(value)}
        placeholder={toPlaceholder()}
        autoComplete="new-password"
        onChange={({ target }) =>
          onValue(target.value === '' ? (isStored ? HIDDEN_SECRET : undefined) : target.value)
        }
      />
      {isStored && !isRequired && (
        <Button
          type="link"
          size="small"
          data-testid={`${testId}-remove`}
          onClick={() => onValue(value === undefined ? HIDDEN_SECRET : undefined)}
        >
          {value === undefined ? t('config.retainSecret') : t('config.removeSecret')}
        </Button>
      )}
    </>
  )
}
