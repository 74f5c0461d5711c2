import type { ComponentPropsWithoutRef } from 'react'
import { toCompactAddress } from '../format/address.ts'
import styles from './address-button.module.css'

interface AddressButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'type' | 'className'> {
  readonly nestaddr: string
}

/** Button with the last part of an address, which opens its object. */
export const AddressButton = ({ nestaddr, ...button }: AddressButtonProps) => (
  <button {...button} type="button" className={`bare ${styles.button}`}>
    <bdi>{toCompactAddress(nestaddr)}</bdi>
  </button>
)
