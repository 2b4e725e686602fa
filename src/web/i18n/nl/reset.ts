import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Wachtwoord instellen en inloggen',
  'invited.text': 'Er is een account voor je gemaakt. Kies een wachtwoord om in te loggen.',
  'invited.title': 'Uitnodiging',
  'invited.welcome': 'Welkom, {name}',
  'invited.wrong': 'Deze uitnodiging is niet meer geldig. Vraag om een nieuwe.',
  'reset.again': 'Nieuwe link aanvragen',
  'reset.ask': 'Mail mij een link',
  'reset.asked':
    'Als er een account met dit adres is, is er een e-mail onderweg. De link daarin is een uur ' +
    'geldig.',
  'reset.done': 'Wachtwoord gewijzigd. Alle andere sessies zijn beëindigd.',
  'reset.new_password': 'Nieuw wachtwoord',
  'reset.no_mail':
    'Deze dienst verzendt geen e-mail. Vraag de serverbeheerder om een link voor een nieuw ' +
    'wachtwoord.',
  'reset.rule':
    'Minstens 8 tekens. Een paar woorden zijn makkelijk te onthouden en moeilijk te raden.',
  'reset.sent': 'Kijk in je e-mail',
  'reset.set': 'Wachtwoord instellen',
  'reset.set_title': 'Stel een nieuw wachtwoord in',
  'reset.title': 'Wachtwoord vergeten?',
  'reset.to_login': 'Naar inloggen',
  'reset.wrong_link': 'Deze link is niet meer geldig. Vraag een nieuwe aan.',
  'error.wrong_proxy_user': 'Je kunt hier niet inloggen met dit account. Vraag het je beheerder.',
  'proxy.action': 'Doorgaan als {name}',
  'proxy.text': 'Je bent ingelogd bij je organisatie.',
  'signup.action': 'Account maken',
  'signup.asked': 'Kijk in je e-mail. De link daarin is 24 uur geldig.',
  'signup.name': 'Naam',
  'signup.needs_approval': 'Een beheerder keurt nieuwe accounts goed.',
  'signup.signed_in': 'Je bent al ingelogd. Log eerst uit om nog een account te maken.',
  'signup.to_app': 'Doorgaan',
  'signup.title': 'Account maken',
  'signup.waits':
    'Een beheerder moet je account goedkeuren. Je krijgt een e-mail zodra je kunt inloggen.',
  'error.sign_up_off': 'Je kunt hier niet zelf een account maken. Vraag je beheerder.',
  'error.sign_up_used': 'Er bestaat al een account met dit adres. Log in.',
  'error.too_many_sign_ups':
    'Er wachten te veel personen op goedkeuring. Probeer het over een paar dagen opnieuw.',
  'error.wrong_sign_up_link': 'Deze link is niet meer geldig. Vraag een nieuwe aan.',
} satisfies Same<typeof english>
