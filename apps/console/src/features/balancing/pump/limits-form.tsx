import { type Pump, setPumpLimits } from '@isotherm/contract/endpoints/control/pumps'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { NumberField } from '../fields/number-field.tsx'
import { fromDraft, judgeDraft, limitBounds, limitNames, type TypedLimits } from './limits-draft.ts'
import styles from './pump.module.css'
import { pumpQuery } from './pump-query.ts'

/** Form for the range of the pump's head setpoint and the largest change per command. Typed values stay until saved. */
export function LimitsForm({ pump }: { readonly pump: Pump }) {
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const { deviceId, version } = pump
  const [typed, setTyped] = useState<TypedLimits>()
  const { draft, isChanged, ...judged } = judgeDraft(typed, pump)
  const limits = fromDraft(draft)
  const { queryKey } = pumpQuery(deviceId)
  const save = useMutation({
    mutationFn: (given: NonNullable<typeof limits>) =>
      call(setPumpLimits, { deviceId, version, limits: given }, { quiet: true }),
    onSuccess: (set) => {
      client.setQueryData(queryKey, set)
      setTyped(undefined)
    },
    // Another user may have saved in between: load the present limits.
    onError: () => client.invalidateQueries({ queryKey }),
  })
  // While saving, the version on the server may already be the new one.
  const isOutdated = judged.isOutdated && !save.isPending
  const settle = (edited: TypedLimits | undefined): void => {
    setTyped(edited)
    save.reset()
  }
  const isCrossed =
    draft.minHeadKpa !== null && draft.maxHeadKpa !== null && draft.minHeadKpa >= draft.maxHeadKpa
  return (
    <form
      className={styles.form}
      data-testid="pump-limits"
      onSubmit={(event) => {
        event.preventDefault()
        if (limits && isChanged && !isOutdated && !save.isPending) save.mutate(limits)
      }}
    >
      <h3 className={styles.heading}>{t('pump.limitsOf')}</h3>
      {limitNames.map((name) => (
        <NumberField
          key={name}
          label={t(`pump.limit.${name}`)}
          unit="kPa"
          hint={t(`pump.limitHint.${name}`)}
          bounds={limitBounds[name]}
          isWhole
          isNeeded
          value={draft[name]}
          onValue={(value) =>
            settle({ draft: { ...draft, [name]: value }, version: typed?.version ?? version })
          }
        />
      ))}
      {isCrossed && <Alert type="error" showIcon title={t('pump.crossed')} />}
      {isOutdated ? (
        <Alert
          type="warning"
          showIcon
          data-testid="pump-limits-overtaken"
          title={t('pump.overtaken')}
          action={
            <>
              <Button size="small" onClick={() => settle({ draft, version })}>
                {t('pump.keepMine')}
              </Button>
              <Button size="small" type="text" onClick={() => settle(undefined)}>
                {t('pump.takeTheirs')}
              </Button>
            </>
          }
        />
      ) : (
        save.error && <Alert type="error" showIcon title={toFailureText(save.error)} />
      )}
      {save.isSuccess && !isChanged && <Alert type="success" showIcon title={t('pump.saved')} />}
      <div className={styles.end}>
        <Button
          htmlType="submit"
          disabled={!limits || !isChanged || isOutdated}
          loading={save.isPending}
          data-testid="pump-limits-save"
        >
          {t('pump.save')}
        </Button>
      </div>
    </form>
  )
}
