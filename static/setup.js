// Creates the first administrator with the token in the address's fragment, which browsers do not
// send to servers or proxies.
const form = document.getElementById('setup')
const problem = document.getElementById('problem')

async function create() {
  problem.textContent = ''
  const { email, name, password } = Object.fromEntries(new FormData(form))
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  const answer = await fetch('/api/setup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, email, name, password }),
  }).catch(() => null)
  if (answer?.ok) return location.assign('/')
  const text = (await answer?.json().catch(() => null))?.error
  problem.textContent = text ?? 'The service could not be reached. Try again in a moment.'
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void create()
})
