// What JSX becomes: see build.mjs.
export { Fragment, h } from 'preact'
