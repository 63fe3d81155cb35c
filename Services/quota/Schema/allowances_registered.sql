select register_read_model('allowances');
