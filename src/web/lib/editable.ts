/** State that a field shows and changes: a signal, or what the functions below make. */
export interface Editable<T> {
  value: T
}

/** A value that is kept elsewhere, as it is in this render. */
export function editable<T>(value: T, set: (value: T) => void): Editable<T> {
  return {
    get value() {
      return value
    },
    set value(next) {
      set(next)
    },
  }
}

/** Whether a list has the item. */
export function member<T>(list: Editable<readonly T[]>, item: T): Editable<boolean> {
  return editable(list.value.includes(item), (isIn) => {
    list.value = isIn ? [...list.value, item] : list.value.filter((other) => other !== item)
  })
}

/** One property of an object in a signal. */
export function part<T, Key extends keyof T>(whole: Editable<T>, key: Key): Editable<T[Key]> {
  return editable(whole.value[key], (value) => {
    whole.value = { ...whole.value, [key]: value }
  })
}
