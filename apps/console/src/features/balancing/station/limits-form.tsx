import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { NumberField } from '../fields/number-field.tsx'
import {
  fromDraft,
  isCrossed,
  judgeDraft,
  type LimitFields,
  type StationLimits,
  type TypedLimits,
} from './limits-draft.ts'
import styles from './station.module.css'

interface LimitsFormProps<Name extends string, Saved> {
  readonly fields: LimitFields<Name>
  readonly present: { readonly limits: StationLimits<Name>; readonly version: number }
  readonly unit: string
  readonly isWhole: boolean
  readonly texts: {
    readonly heading: string
    readonly crossed: string
    readonly labels: Readonly<Record<Name, string>>
    readonly hints: Readonly<Record<Name, string>>
  }
  readonly testId: string
  /** Cache entry of the station that `save` replaces. */
  readonly queryKey: readonly unknown[]
  readonly save: (limits: StationLimits<Name>) => Promise<Saved>
}

/** Form for the range of a setpoint and the largest change per command. Typed values stay until saved. */
export function LimitsForm<Name extends string, Saved>(props: LimitsFormProps<Name, Saved>) {
  const { fields, present, unit, isWhole, texts, testId, queryKey } = props
  const { t } = useTranslation('balancing')
  const client = useQueryClient()
  const [typed, setTyped] = useState<TypedLimits<Name>>()
  const { draft, isChanged, ...judged } = judgeDraft(fields, typed, present)
  const limits = fromDraft(fields, draft)
  const save = useMutation({
    mutationFn: props.save,
    onSuccess: (set) => {
      client.setQueryData(queryKey, set)
      setTyped(undefined)
    },
    // Another user may have saved in between: load the present limits.
    onError: () => client.invalidateQueries({ queryKey }),
  })
  // While saving, the version on the server may already be the new one.
  const isOutdated = judged.isOutdated && !save.isPending
  const settle = (edited: TypedLimits<Name> | undefined): void => {
    setTyped(edited)
    save.reset()
  }
  return (
    <form
      className={styles.form}
      data-testid={testId}
      onSubmit={(event) => {
        event.preventDefault()
        if (limits && isChanged && !isOutdated && !save.isPending) save.mutate(limits)
      }}
    >
      <h3 className={styles.heading}>{texts.heading}</h3>
      {(Object.keys(fields.bounds) as Name[]).map((name) => (
        <NumberField
          key={name}
          label={texts.labels[name]}
          unit={unit}
          hint={texts.hints[name]}
          bounds={fields.bounds[name]}
          isWhole={isWhole}
          isNeeded
          value={draft[name]}
          onValue={(value) =>
            settle({ draft: { ...draft, [name]: value }, version: typed?.version ?? present.version })
          }
        />
      ))}
      {isCrossed(fields, draft) && <Alert type="error" showIcon title={texts.crossed} />}
      {isOutdated ? (
        <Alert
          type="warning"
          showIcon
          data-testid={`${testId}-overtaken`}
          title={t('pump.overtaken')}
          action={
            <>
              <Button size="small" onClick={() => settle({ draft, version: present.version })}>
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
          data-testid={`${testId}-save`}
        >
          {t('pump.save')}
        </Button>
      </div>
    </form>
  )
}
