default['site_mysql']['buffer_pool'] = '16G'
